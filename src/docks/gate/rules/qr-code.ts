import { encode } from 'uqr'
import { escapeHtml } from '../../../kernel/text/text'

/** Readers need four light modules around the code. */
const BORDER = 4
/** A poster may be dirty: a quarter of the code can be unreadable. */
const ERROR_CORRECTION = 'Q'

/** The rows of a code with its border; true is dark. */
export function drawModules(text: string): boolean[][] {
  return encode(text, { ecc: ERROR_CORRECTION, border: BORDER }).data
}

/** The code as a drawing that scales, with a line of text above it, for a page. */
export function drawQrSvg(text: string, title: string): string {
  const modules = drawModules(text)
  const size = modules.length
  const head = 6
  const dark = modules.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y + head}h1v1h-1z` : [])))
  const label = escapeHtml(title)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size + head}" role="img" aria-label="${label}" shape-rendering="crispEdges">`,
    `<rect width="${size}" height="${size + head}" fill="#fff"/>`,
    `<text x="${size / 2}" y="5" text-anchor="middle" font-size="3" font-family="system-ui, 'Segoe UI', 'DejaVu Sans', Arial, sans-serif"${fitting(title, size)}>${label}</text>`,
    `<path d="${dark.join('')}"/>`,
    '</svg>\n',
  ].join('\n')
}

/** The same as a file of its own. */
export function drawQrSvgFile(text: string, title: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${drawQrSvg(text, title)}`
}

/** A long title is made narrower. A character is about half as wide as high. */
function fitting(title: string, size: number): string {
  const room = size - 2 * BORDER
  return title.length * 1.6 > room ? ` textLength="${room}" lengthAdjust="spacingAndGlyphs"` : ''
}
