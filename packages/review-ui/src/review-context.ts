import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Review } from "./model/review.ts";

export const ReviewContext = createContext<Review | undefined>(undefined);

/** @throws Error outside of a `ReviewContext` */
export function useReview(): Review {
  const review = useContext(ReviewContext);
  if (!review) throw new Error("a component is outside of the review page");
  return review;
}
