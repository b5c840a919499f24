import { useEffect, useState } from 'preact/hooks';

/**
 * As in the style sheet: the height of a row with two lines, and of one whose action has a line of
 * its own.
 */
const WIDE_PX = 62;
const NARROW_PX = 112;

const narrow = matchMedia('(max-width: 760px)');

/** True while the page is narrow. */
function useNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(narrow.matches);
  useEffect(() => {
    const look = () => setNarrow(narrow.matches);
    narrow.addEventListener('change', look);
    return () => narrow.removeEventListener('change', look);
  }, []);
  return isNarrow;
}

/** The height of the rows of the class `tall-row`. */
export const useRowHeight = (): number => (useNarrow() ? NARROW_PX : WIDE_PX);
