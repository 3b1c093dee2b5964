/**
 * What a view stands on, whatever it draws: its sheet, theme, keys and focus; panes, folds, icons.
 */
export { boxAlone, useKeptHeight, useSheet } from "./boxes";
export { download, toClipboard } from "./clipboard";
export {
  ActionButton,
  Button,
  flips,
  LinkButton,
  placeAfter,
  sets,
  useOwnId,
  writes,
} from "./controls";
export { catchFocus, focusNear, giveFocus, hasFocus, isFree, keepFocus, ROW } from "./focus";
export { FoldBox } from "./fold-box";
export { enterFull, leaveFull, outputsOf, stayFull } from "./full-screen";
export { Chevron, Dots, StatusIcon, ToolIcon, type ToolIconName } from "./icons";
export { Pane, Section } from "./pane";
export { addSheet } from "./sheet";
export { keepShortcutsAway } from "./shortcuts";
export { InSight, Sight } from "./sight";
export { themeOf, watchTheme } from "./theme";
export { Later, useGrowing, whenQuiet } from "./turns";
export { sightWatcher, watchSize } from "./watching";
