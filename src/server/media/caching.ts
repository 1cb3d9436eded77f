/**
 * For pictures that everyone can see now. They can become private: a browser can reuse them for five minutes, a shared cache
 * must revalidate them at each request.
 */
export const publicPictureCaching = "public, max-age=300, s-maxage=0, must-revalidate";
