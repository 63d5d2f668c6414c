import { accessSync, constants, realpathSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { postgresPrograms } from '../storage/postgres/server'

/** Debian has each in a package of its name; that of etcd is `etcd-server`. */
const programs = ['patroni', 'etcd', 'haproxy', 'pgbouncer'] as const

export function findProgram(name: (typeof programs)[number]): string | null {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin']
  return folders.map((folder) => join(folder, name)).find(isProgram) ?? null
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The folder with all programs of PostgreSQL: that of the PATH may have links to some. */
export const findPostgresFolder = () => dirname(realpathSync(join(postgresPrograms()!, 'postgres')))

/** The names of programs that a cluster needs and that are not installed. */
export function listMissingPrograms(): string[] {
  const missing: string[] = programs.filter((name) => findProgram(name) === null)
  return postgresPrograms() === null ? ['postgres', ...missing] : missing
}
