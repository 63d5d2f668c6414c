import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SharedBody } from '../http/answers/shared-body'

const names = [
  'autosave.js',
  'board/board.css',
  'board/board.js',
  'board/drag.js',
  'board/filter.js',
  'board/keys.js',
  'board/live.js',
  'board/menu.js',
  'console.css',
  'console.js',
  'dialog.js',
  'form-errors.js',
  'forms.js',
  'gate.css',
  'gate.js',
  'palette.js',
  'priorities.js',
  'refresh.js',
  'reports.css',
  'requests.js',
  'say.js',
  'service-error.js',
  'stream.js',
  'times.js',
  'unsaved-texts.js',
  'work-tree.js',
  'work.css',
  'work.js',
] as const

export type AssetName = (typeof names)[number]

/** The stylesheet of all pages is one file for browsers. */
const parts: { [Name in AssetName]?: readonly string[] } = {
  'console.css': ['base', 'forms', 'lists', 'parts'].map((part) => `styles/${part}.css`),
}

interface Assets {
  /** Identifies the contents of all of them. The scripts import each other, so they share it. */
  version: string
  files: Map<string, SharedBody>
}

let loaded: Assets | null = null

/** Reads the files. The service does it at its start, because every page needs their version, that of an error too. */
export function loadAssets(): Assets {
  if (loaded) return loaded
  const files = new Map<string, SharedBody>()
  const hash = createHash('sha256')
  for (const name of names) {
    const bytes = new Uint8Array(Buffer.concat((parts[name] ?? [name]).map(readAsset)))
    hash.update(bytes)
    files.set(name, new SharedBody(bytes))
  }
  loaded = { version: hash.digest('base64url').slice(0, 12), files }
  return loaded
}

/** A file that pages load; null if there is none of that name. */
export function findAsset(name: string) {
  const body = loadAssets().files.get(name)
  if (!body) return null
  const headers = {
    'Content-Type': `text/${name.endsWith('.css') ? 'css' : 'javascript'}; charset=utf-8`,
    'Cache-Control': 'public, max-age=31536000, immutable',
  }
  return { body, headers }
}

/** The address names the content, so that browsers may keep it forever. */
export function assetUrl(name: AssetName): string {
  return `/console/assets/${loadAssets().version}/${name}`
}

/** The build writes the files beside its chunks; from source they are in their own folder. */
function readAsset(name: string): Buffer {
  try {
    return readFileSync(join(import.meta.dirname, 'console', name))
  } catch {
    return readFileSync(join(import.meta.dirname, 'assets', name))
  }
}
