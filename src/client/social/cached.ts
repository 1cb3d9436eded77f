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
  const one = (blog: Blog): Blog => (blog.id === blogId ? change(blog) : blog);
  changeAll(queryClient, "blogs", (data) => {
    if (isBlog(data)) return one(data);
    if (!isList(data)) return data;
    const blogs = data.blogs.map(one);
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

/** tRPC's keys are `[[area, procedure], input]`. */
function changeAll(queryClient: QueryClient, area: string, change: (data: object) => object): void {
  const filters = {
    predicate: ({ queryKey }: { queryKey: readonly unknown[] }) =>
      Array.isArray(queryKey[0]) && queryKey[0][0] === area,
  };
  queryClient.setQueriesData<object>(filters, (data) =>
    typeof data === "object" && data !== null ? change(data) : data,
  );
}

const isBlog = (data: object): data is Blog => "slug" in data && "likesCount" in data;
const isList = (data: object): data is { blogs: BlogCard[] } => "blogs" in data && Array.isArray(data.blogs);
const isPeople = (data: object): data is { people: ListedPerson[] } =>
  "people" in data && Array.isArray(data.people);
const isProfile = (data: object): data is Profile => "username" in data && "follow" in data;
