import { useRef, useState } from "react";
import { LinkButton } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import "../../ui/page-parts.css";
import "./carousel.css";

const slides = [
  {
    word: "Write.",
    text: "A page of your own, with an editor that stays out of the way and never loses a sentence.",
    action: "Get Started",
  },
  {
    word: "Inspire.",
    text: "People read it, answer it, argue with it. You see it happen while the page is open.",
    action: "Write Now",
  },
  {
    word: "Repeat.",
    text: "Follow who you like to read. Come back when there is something new to say.",
    action: "Join Us",
  },
];

export function Carousel() {
  const track = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState(0);
  const show = (index: number): void => {
    const strip = track.current;
    if (!strip || !slides[index]) return;
    const isReducedMotion = matchMedia("(prefers-reduced-motion: reduce)").matches;
    strip.scrollTo({ left: index * strip.clientWidth, behavior: isReducedMotion ? "instant" : "smooth" });
  };
  return (
    <section className="carousel" aria-roledescription="carousel" aria-label="What this place is">
      <div
        className="carousel-track"
        ref={track}
        onScroll={({ currentTarget }) =>
          setCurrent(Math.round(currentTarget.scrollLeft / currentTarget.clientWidth))
        }
      >
        {slides.map(({ word, text, action }, index) => (
          <div
            key={word}
            className="carousel-slide"
            role="group"
            aria-roledescription="slide"
            aria-label={`${index + 1} of ${slides.length}`}
          >
            <p className="carousel-word">{word}</p>
            <p className="carousel-text muted">{text}</p>
            <LinkButton kind="primary" to="/signup">
              {action}
            </LinkButton>
          </div>
        ))}
      </div>
      <Stave current={current} />
      {/* Not `disabled` at the last slide: that would drop the focus. */}
      <div className="carousel-controls row">
        <button
          type="button"
          className="stack center hover-sunk round pager-arrow"
          aria-label="Previous slide"
          aria-disabled={current === 0}
          onClick={() => show(current - 1)}
        >
          <Icon name="chevron-left" />
        </button>
        <button
          type="button"
          className="stack center hover-sunk round pager-arrow"
          aria-label="Next slide"
          aria-disabled={current === slides.length - 1}
          onClick={() => show(current + 1)}
        >
          <Icon name="chevron-right" />
        </button>
      </div>
    </section>
  );
}

/** A stave of three bars; the current slide's bar is inked. */
function Stave({ current }: { current: number }) {
  return (
    <div className="stave" aria-hidden="true">
      <span className="stave-repeat stave-begin" />
      {slides.map(({ word }, index) => (
        <span key={word} className="stave-bar" data-current={index === current || undefined} />
      ))}
      <span className="stave-repeat" />
    </div>
  );
}
