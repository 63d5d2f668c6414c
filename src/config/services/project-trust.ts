import { createHash } from 'node:crypto'
import * as z from 'zod'
import { StudioError } from '../../kernel'
import { writeFileAtomic } from '../../storage'
import { getTrustFile, type Paths, readStoredFile } from './paths'

/** The SHA-256 of each trusted project file when the user trusted it, by its real path. */
const TrustedFiles = z.record(z.string(), z.string())
type TrustedFiles = z.infer<typeof TrustedFiles>

/** A project file, by its real path, and the settings in it that need trust. */
export interface ProjectFile {
  path: string
  text: string
  keys: readonly string[]
}

/** Throws if a project file has settings that need trust and the user has not trusted its current content. */
export function requireTrust({ path, text, keys }: ProjectFile, paths: Paths): void {
  if (keys.length === 0) return
  const trusted = readTrustedFiles(paths)[path]
  if (trusted === hashText(text)) return
  const why = trusted === undefined ? 'You have not trusted this file.' : 'The file has changed since you trusted it.'
  throw new StudioError(
    'invalid',
    `${path} sets ${keys.join(', ')}, which a file of a repository decides only if you trust it. ${why}`,
    {
      hint: `Read the file. If you trust it, run: studio config trust`,
      places: [{ text: path, name: 'a settings file' }],
    },
  )
}

/** Trusts the current content of a project file. */
export async function trustProject({ path, text }: ProjectFile, paths: Paths): Promise<void> {
  await writeTrustedFiles(paths, { ...readTrustedFiles(paths), [path]: hashText(text) })
}

/** Returns whether the file was trusted. */
export async function revokeTrust(path: string, paths: Paths): Promise<boolean> {
  const { [path]: hash, ...others } = readTrustedFiles(paths)
  if (hash !== undefined) await writeTrustedFiles(paths, others)
  return hash !== undefined
}

export function listTrustedProjects(paths: Paths): string[] {
  return Object.keys(readTrustedFiles(paths)).sort()
}

function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function writeTrustedFiles(paths: Paths, trusted: TrustedFiles): Promise<void> {
  return writeFileAtomic(getTrustFile(paths), `${JSON.stringify(trusted, null, 2)}\n`)
}

function readTrustedFiles(paths: Paths): TrustedFiles {
  const hint = 'Remove it, and trust the project files again: studio config trust'
  return readStoredFile(getTrustFile(paths), TrustedFiles, hint) ?? {}
}

interface Freedom {
  /** Why no value that it allows can do harm. */
  reason: string
  allows(value: unknown): boolean
}

const freeSettings = new WeakMap<z.ZodType, Freedom>()

/**
 * Marks a setting that a project file may decide without trust. A project file comes with a repository that someone else may have written,
 * so every other setting counts there only after the user has trusted the file: all that chooses a tenant, a host, a database, a program,
 * a model or credentials, and all that weakens a protection. `allows` limits this to some values.
 */
export function needsNoTrust<T extends z.ZodType>(
  schema: T,
  reason: string,
  allows: (value: unknown) => boolean = () => true,
): T {
  freeSettings.set(schema, { reason, allows })
  return schema
}

export function isTrustNeeded(schema: z.ZodType, value: unknown): boolean {
  return value !== undefined && !(freeSettings.get(schema)?.allows(value) ?? false)
}

/** Why a project file may decide a setting without trust; null if it may not. */
export function getFreedom(schema: z.ZodType): string | null {
  return freeSettings.get(schema)?.reason ?? null
}
