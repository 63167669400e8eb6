/** Axes that go by powers of ten. */

/** Where such an axis is labelled: at powers of ten, and between them where there are few. */
export const ticksOf = (from, to) => {
  const steps = to / from < 200 ? [1, 2, 5] : [1]
  const ticks = []
  for (let decade = 10 ** Math.floor(Math.log10(from)); decade <= to; decade *= 10) ticks.push(...steps.map((step) => step * decade))
  return ticks.filter((tick) => tick >= from && tick <= to)
}

/** A number with as few characters as say it. */
export const short = (value) => (value >= 1000 ? `${value / 1000}k` : String(Number(value.toPrecision(3))))
