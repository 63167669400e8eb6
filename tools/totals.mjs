/** The last line of a test run: `12 passed, 0 failed`, and how many were skipped when there are any. */
export const totalsLine = ({ passed, failed, skipped }) => `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
