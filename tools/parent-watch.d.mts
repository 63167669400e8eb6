/** Looks whether the process that started this one is still there, and stops once when it is not. */
export declare const createParentWatch: (dependencies: { readonly parentPid: () => number; readonly stop: () => void }) => () => void
