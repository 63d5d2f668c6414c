import type { Finding } from '../finding'
import { marks } from '../marks'
import { isPlaceholder } from './placeholder'

/** Matches what says that a manifest is a Secret, in YAML and in JSON. */
const KIND = /(?<![\w"'])["']?kind["']?[ \t]{0,8}:[ \t]{0,8}["']?secret["']?(?![\w-])/i
/** Matches the type of a Secret, which some manifests have instead. */
const TYPE =
  /(?<![\w"'])["']?type["']?[ \t]{0,8}:[ \t]{0,8}["']?(?:kubernetes\.io\/(?:dockercfg|dockerconfigjson|tls|basic-auth|ssh-auth)|Opaque)["']?(?![\w-])/
const DATA = /^(?<indent>[ \t]*)["']?(?:data|stringData)["']?:[ \t]*(?:#.*)?$/
const PAIR =
  /^(?<before>[ \t]*["']?[\w.-]{1,253}["']?:[ \t]{1,8}["']?)(?<it>[^\s"'#|>{}[\]][^\s"'#]{3,})["']?[ \t]*(?:#.*)?$/
const BLOCK = /:[ \t]{0,8}[|>][+-]?[ \t]{0,8}(?:#[^#\n]{0,200})?$/
const LINE = /^(?<before>[ \t]*)(?<it>[\w+/=-]{4,})[ \t]*$/

const JSON_DATA = /"(?:data|stringData)"\s{0,8}:\s{0,8}\{(?<it>[^{}]*)\}/dg
const JSON_PAIR = /"[\w.-]{1,253}"\s{0,8}:\s{0,8}"(?<it>[^"\\]{4,})"/dg

/** Finds the values of Kubernetes Secrets. They are only encoded, and their keys may have any name. */
export function findKubernetesSecrets(text: string): Finding[] {
  if (!/ata["']?:/.test(text) || !/secret|kubernetes\.io|opaque/i.test(text)) return []
  const findings: Finding[] = []
  let start = 0
  for (const manifest of text.split(/(?<=\n)(?=---)/)) {
    if (KIND.test(manifest) || TYPE.test(manifest))
      findings.push(...findYaml(manifest, start), ...findJson(manifest, start))
    start += manifest.length
  }
  return findings
}

/** Finds the pairs below `data:`, on one line or with the value in the lines below. */
function findYaml(manifest: string, from: number): Finding[] {
  const findings: Finding[] = []
  let start = from
  let outer: number | null = null
  let block: number | null = null
  for (const line of manifest.split('\n')) {
    const indent = line.length - line.trimStart().length
    const data = DATA.exec(line)
    if (data) outer = data.groups?.['indent']?.length ?? 0
    else if (outer !== null && line.trim() !== '' && indent <= outer && !/^[ \t]*#/.test(line)) outer = null
    else if (outer !== null) {
      if (block !== null && line.trim() !== '' && indent <= block) block = null
      const pair = (block === null ? PAIR : LINE).exec(line)
      const { before = '', it = '' } = pair?.groups ?? {}
      if (pair && !isPlaceholder(it) && !it.startsWith('ENC['))
        findings.push({ start: start + before.length, end: start + before.length + it.length, kind: 'token' })
      if (BLOCK.test(line)) block = indent
    }
    start += line.length + 1
  }
  return findings
}

function findJson(manifest: string, from: number): Finding[] {
  return [...manifest.matchAll(JSON_DATA)].flatMap((data) => {
    const [start, end] = data.indices?.groups?.['it'] ?? [0, 0]
    return [...manifest.slice(start, end).matchAll(JSON_PAIR)].flatMap((pair): Finding[] => {
      const [first, last] = pair.indices?.groups?.['it'] ?? [0, 0]
      const value = pair.groups?.['it'] ?? ''
      if (isPlaceholder(value) || value.includes(marks.password)) return []
      return [{ start: from + start + first, end: from + start + last, kind: 'token' }]
    })
  })
}
