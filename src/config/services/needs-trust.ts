import type * as z from 'zod'

/**
 * Marks a setting that chooses where data or credentials go, or who may call. A project file comes with a repository that someone else may
 * have written, so such a setting counts there only after the user has trusted the file.
 */
export function needsTrust<T extends z.ZodType>(schema: T): T {
  return schema.meta({ needsTrust: true })
}

export function isTrustNeeded(schema: z.ZodType): boolean {
  return schema.meta()?.['needsTrust'] === true
}
