import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SharedBody } from '../http/answers/shared-body'

const mediaTypes = {
  'autosave.js': 'text/javascript',
  'console.css': 'text/css',
  'console.js': 'text/javascript',
  'dialog.js': 'text/javascript',
  'form-errors.js': 'text/javascript',
  'forms.js': 'text/javascript',
  'gate.css': 'text/css',
  'gate.js': 'text/javascript',
  'board.css': 'text/css',
  'board.js': 'text/javascript',
  'palette.js': 'text/javascript',
  'board-drag.js': 'text/javascript',
  'board-filter.js': 'text/javascript',
  'board-keys.js': 'text/javascript',
  'board-live.js': 'text/javascript',
  'board-menu.js': 'text/javascript',
  'priorities.js': 'text/javascript',
  'refresh.js': 'text/javascript',
  'reports.css': 'text/css',
  'requests.js': 'text/javascript',
  'say.js': 'text/javascript',
  'service-error.js': 'text/javascript',
  'stream.js': 'text/javascript',
  'times.js': 'text/javascript',
  'unsaved-texts.js': 'text/javascript',
  'work-tree.js': 'text/javascript',
  'work.css': 'text/css',
  'work.js': 'text/javascript',
}

export type AssetName = keyof typeof mediaTypes

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
  for (const name of Object.keys(mediaTypes) as AssetName[]) {
    const bytes = new Uint8Array(readAsset(name))
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
    'Content-Type': `${mediaTypes[name as AssetName]}; charset=utf-8`,
    'Cache-Control': 'public, max-age=31536000, immutable',
  }
  return { body, headers }
}

/** The address names the content, so that browsers may keep it forever. */
export function assetUrl(name: AssetName): string {
  return `/console/assets/${loadAssets().version}/${name}`
}

/** The build writes the files beside its chunks; from source they are in their own folder. */
function readAsset(name: AssetName): Buffer {
  try {
    return readFileSync(join(import.meta.dirname, 'console', name))
  } catch {
    return readFileSync(join(import.meta.dirname, 'assets', name))
  }
}
