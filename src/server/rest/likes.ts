import { z } from "zod";
import { BlogKey } from "../../shared/users.ts";
import { likeBlog, saveBlog } from "../likes/service.ts";
import type { Endpoints } from "./endpoints.ts";
import { MessageShape } from "./shapes.ts";

const OfBlog = z.object({ blogId: BlogKey });

/** Liking and saving a blog. */
export function likeCalls(calls: Endpoints): void {
  calls.member("POST", "/blogs/like/:blogId", {
    summary: "Like or unlike a blog",
    tag: "Blogs",
    params: OfBlog,
    answer: MessageShape.extend({ isLiked: z.boolean(), likesCount: z.number() }),
    handle: async (ctx, { params }) => {
      const { liked, likesCount } = await likeBlog(ctx, { blogId: params.blogId, liked: "toggle" });
      return {
        success: true,
        message: liked ? "You like this blog." : "You no longer like this blog.",
        isLiked: liked,
        likesCount,
      };
    },
  });
  calls.member("PATCH", "/save-blog/:blogId", {
    summary: "Save or unsave a blog",
    tag: "Blogs",
    params: OfBlog,
    answer: MessageShape.extend({ isSaved: z.boolean() }),
    handle: async (ctx, { params }) => {
      const { saved } = await saveBlog(ctx, { blogId: params.blogId, saved: "toggle" });
      return {
        success: true,
        message: saved ? "Blog saved." : "Blog removed from your saved blogs.",
        isSaved: saved,
      };
    },
  });
}
