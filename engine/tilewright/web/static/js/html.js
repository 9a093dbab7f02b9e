// What every module draws with: preact, its hooks, and `html` (htm bound to preact). Text is text: nothing here takes markup.

import { Fragment, createContext, h, render } from "../vendor/preact.js";
import htm from "../vendor/htm.js";

export { Fragment, createContext, h, render };
export {
  useCallback,
  useContext,
  useEffect,
  useErrorBoundary,
  useLayoutEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
} from "../vendor/hooks.js";

export const html = htm.bind(h);
