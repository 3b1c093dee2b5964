/**
 * What a view stands on, whatever it draws: its sheet, theme, keys and focus; panes, folds, icons.
 */
export { focusNear, hasFocus, isFree, ROW } from "./focus";
export { FoldBox } from "./fold-box";
export { enterFull, leaveFull, outputsOf, stayFull } from "./full-screen";
export { Chevron, StatusIcon, ToolIcon, type ToolIconName } from "./icons";
export { giveFocus, keepFocus } from "./kept-focus";
export { useKeptHeight } from "./kept-height";
export { useOwnId } from "./own-id";
export { Pane } from "./pane";
export { Section } from "./section";
export { addSheet, boxAlone } from "./sheet";
export { keepShortcutsAway } from "./shortcuts";
export { InSight, Sight } from "./sight";
export { themeOf } from "./theme";
export { Later, useGrowing, whenQuiet } from "./turns";
