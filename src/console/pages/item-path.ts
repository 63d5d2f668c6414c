export function itemPath(id: number): string {
  return `/console/work/items/${id}`
}
