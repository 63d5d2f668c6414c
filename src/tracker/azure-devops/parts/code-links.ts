import type { WebLinkKind } from '../../tracker'

/** A place in a repository, as a link of an item names it. `project` and `repository` are names or IDs. */
export interface CodePlace {
  kind: Exclude<WebLinkKind, 'page'>
  project: string
  repository: string
  /** A number, a hash or the name of a branch. */
  value: string
}

const ARTIFACTS = {
  'pull-request': { tool: 'PullRequestId', prefix: '', name: 'Pull Request' },
  commit: { tool: 'Commit', prefix: '', name: 'Fixed in Commit' },
  branch: { tool: 'Ref', prefix: 'GB', name: 'Branch' },
} as const

/** `vstfs:///Git/PullRequestId/{project ID}%2F{repository ID}%2F12`; `project` and `repository` must be IDs. */
export function formatArtifact({ kind, project, repository, value }: CodePlace): { url: string; name: string } {
  const { tool, prefix, name } = ARTIFACTS[kind]
  const place = [project, repository, `${prefix}${encodeURIComponent(value)}`].join('%2F')
  return { url: `vstfs:///Git/${tool}/${place}`, name }
}

/** Null for an artifact that is no pull request, commit or branch. */
export function parseArtifact(url: string): CodePlace | null {
  const [, tool = '', place = ''] = /^vstfs:\/\/\/Git\/(\w{1,20})\/(\S{1,2000})$/i.exec(url) ?? []
  const found = Object.entries(ARTIFACTS).find(([, artifact]) => artifact.tool.toLowerCase() === tool.toLowerCase())
  const [project = '', repository = '', ...rest] = decode(place).split('/')
  const value = decode(rest.join('/'))
  if (!found || project === '' || repository === '' || value === '') return null
  const [kind, { prefix }] = found as [CodePlace['kind'], (typeof ARTIFACTS)[CodePlace['kind']]]
  // A reference may also be a tag or a commit.
  if (!value.startsWith(prefix)) return null
  return { kind, project, repository, value: value.slice(prefix.length) }
}

/** The page of a place below the address of the organization. */
export function formatCodePage(webBase: string, { kind, project, repository, value }: CodePlace): string {
  const repositoryPage = `${webBase}/${encodeURIComponent(project)}/_git/${encodeURIComponent(repository)}`
  if (kind === 'pull-request') return `${repositoryPage}/pullrequest/${encodeURIComponent(value)}`
  if (kind === 'commit') return `${repositoryPage}/commit/${encodeURIComponent(value)}`
  return `${repositoryPage}?version=GB${encodeURIComponent(value)}`
}

/** The place of a page; null if it is another page. `path` is below the organization. A repository with the name of its project may omit it. */
export function parseCodePage(path: string, search: URLSearchParams): CodePlace | null {
  const parts = path.split('/').filter(Boolean).map(decode)
  const at = parts.findIndex((part) => part.toLowerCase() === '_git')
  const repository = parts[at + 1]
  if (at < 0 || at > 1 || repository === undefined) return null
  const project = at === 1 ? parts[0]! : repository
  const [page = '', value = ''] = parts.slice(at + 2)
  if (page.toLowerCase() === 'pullrequest' && /^\d{1,10}$/.test(value))
    return { kind: 'pull-request', project, repository, value }
  if (page.toLowerCase() === 'commit' && /^[\da-f]{7,40}$/i.test(value))
    return { kind: 'commit', project, repository, value }
  const version = search.get('version') ?? ''
  const isBranch = page === '' && version.startsWith('GB') && version.length > 2
  return isBranch ? { kind: 'branch', project, repository, value: version.slice(2) } : null
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
