/** The folder that a file system makes for itself in the root of its volume; nobody else can remove it for good. */
export const VOLUME_FOLDER = 'lost+found'
