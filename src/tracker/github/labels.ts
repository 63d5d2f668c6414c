/** The points of a label `points:5`; null for any other label. */
export function parsePointsLabel(label: string): number | null {
  const [, digits] = /^(?:story[ -])?points: ?(\d+(?:\.\d+)?)$/i.exec(label.trim()) ?? []
  return digits === undefined ? null : Number(digits)
}
