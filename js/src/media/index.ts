/** What is looked at or listened to: pictures at full size, sound and moving pictures. */
export { PictureDialog } from "./picture-dialog";
export { Media, type MediaProps } from "./player";
