import type { QueryClient } from "@tanstack/react-query";
import type { BlogCard, BlogPage } from "../../shared/blogs.ts";
import type { ListedPerson } from "../../shared/social.ts";
import type { FollowStatus, Profile } from "../../shared/users.ts";

type Blog = BlogCard | BlogPage;

/** Changes a blog wherever the cache holds it, in lists and as a page; the rest stays the very same. */
export function changeCachedBlog(
  queryClient: QueryClient,
  blogId: string,
  change: (blog: Blog) => Blog,
): void {
  changeBlogs(queryClient, (blog) => (blog.id === blogId ? change(blog) : blog));
}

export function changeBlogs(queryClient: QueryClient, change: (blog: Blog) => Blog): void {
  changeAll(queryClient, "blogs", (data) => {
    if (isBlog(data)) return change(data);
    if (!isList(data)) return data;
    const blogs = data.blogs.map(change);
    return blogs.some((blog, index) => blog !== data.blogs[index]) ? { ...data, blogs } : data;
  });
}

/** How the viewer stands to somebody, on that person's blogs, on their profile and in lists of people. */
export function changeCachedFollow(
  queryClient: QueryClient,
  userId: string,
  follow: FollowStatus,
  followersCount: number | null,
): void {
  changeAll(queryClient, "blogs", (data) =>
    isBlog(data) && "follow" in data && data.author.id === userId ? { ...data, follow } : data,
  );
  for (const area of ["social", "users"])
    changeAll(queryClient, area, (data) =>
      isPeople(data)
        ? { ...data, people: data.people.map((one) => (one.id === userId ? { ...one, follow } : one)) }
        : data,
    );
  changeAll(queryClient, "users", (data) =>
    isProfile(data) && data.id === userId
      ? { ...data, follow, followersCount: followersCount ?? data.followersCount }
      : data,
  );
}

/** tRPC's keys are `[[area, procedure], input]`. What is to be asked for again stays so: a change is not all that is new. */
export function changeAll(queryClient: QueryClient, area: string, change: (data: object) => object): void {
  const queries = queryClient.getQueryCache().findAll({
    predicate: ({ queryKey }) => Array.isArray(queryKey[0]) && queryKey[0][0] === area,
  });
  for (const query of queries) {
    const { data, dataUpdatedAt, isInvalidated } = query.state;
    const changed = typeof data === "object" && data !== null ? change(data) : data;
    if (changed === data) continue;
    queryClient.setQueryData(query.queryKey, changed, { updatedAt: dataUpdatedAt });
    if (isInvalidated) query.invalidate();
  }
}

const isBlog = (data: object): data is Blog => "slug" in data && "likesCount" in data;
const isList = (data: object): data is { blogs: BlogCard[] } => "blogs" in data && Array.isArray(data.blogs);
export const isPeople = (data: object): data is { people: ListedPerson[] } =>
  "people" in data && Array.isArray(data.people);
const isProfile = (data: object): data is Profile => "username" in data && "follow" in data;
