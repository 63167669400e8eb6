/** The code unit at a place of a text; zero where there is none. */
export const unitAt = (text: string, at: number): number => (at >= 0 && at < text.length ? text.charCodeAt(at) : 0)
