/** The table whose rows are the searchables of a type. */
export const SEARCHABLE_TABLES = { devops: 'work_item', draft: 'draft', folder: 'folder' } as const

/** The table that every change of a searchable writes to, by `incrementWorkspaceVersion`. */
export const VERSION_TABLE = 'workspace_version'
