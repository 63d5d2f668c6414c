/** The folder of the index of the database at `path`. In a file of its own, because each start needs it and no other part of the index. */
export function indexFolderPath(path: string): string {
  return `${path}.search`
}
