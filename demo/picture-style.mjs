/** Colours of the gateways in their order: apart for colour-blind readers, and strong enough on white and on near-black. */
export const SERIES_COLOURS = ['#2a78d6', '#e07b00', '#12a594', '#b84fa6', '#8a8478']

/** Size and margins of the picture, in pixels. */
export const FRAME = { width: 960, height: 640, left: 64, right: 96, rounding: 10 }

/** The two panels, in pixels from the top. */
export const SCORE_PANEL = { top: 128, bottom: 344 }
export const SHARE_PANEL = { top: 408, bottom: 580 }

/**
 * The picture brings its own background, so that it reads on any page; it turns dark with the reader's colour scheme. The
 * colours stand as attributes too, for viewers that ignore style sheets.
 */
export const STYLE = `
  text { font-family: system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif }
  @media (prefers-color-scheme: dark) {
    .surface { fill: #16181d; stroke: #343841 }
    .ink { fill: #f1f1ee }
    .muted { fill: #a9adb8 }
    .grid { stroke: #2c3038 }
    .axis { stroke: #5b616e }
    .outage { fill: #ffffff; fill-opacity: 0.07 }
    .gap { stroke: #16181d }
  }`

/** The colours of the light scheme. */
export const LIGHT = { surface: '#ffffff', border: '#d9dbe0', ink: '#1c1e22', muted: '#5f6470', grid: '#e8e9ec', axis: '#9aa0ab' }
