// A value that changes often, such as what is being dragged, for questions to the server.
import { useEffect, useRef, useState } from "preact/hooks";

// Follows the value at most once in so many milliseconds, and to its end.
export function useThrottled<T>(value: T, pause: number): T {
  const [followed, setFollowed] = useState(value);
  const last = useRef(-Infinity);
  useEffect(() => {
    const follow = () => {
      last.current = performance.now();
      setFollowed(value);
    };
    const timer = setTimeout(follow, Math.max(0, last.current + pause - performance.now()));
    return () => clearTimeout(timer);
  }, [value, pause]);
  return followed;
}
