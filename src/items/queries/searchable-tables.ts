/** The table of each type of searchable. */
export const SEARCHABLE_TABLES = { devops: 'work_item', draft: 'draft', folder: 'folder' } as const

/** Every change of a searchable writes to this table, with `incrementWorkspaceVersion`. */
export const VERSION_TABLE = 'workspace_version'
