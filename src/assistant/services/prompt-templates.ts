import { constants } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type * as z from 'zod'
import { hint, StudioError, suggest } from '../../kernel'
import { errorCodeOf } from '../../kernel/errors'
import { builtInTemplates } from '../rules/prompts/built-in-templates'
import { type FileProblem, parseTemplateFile } from '../rules/prompts/parse-template-file'
import { findMissingVariables, listVariables, type Template, usesStory } from '../rules/prompts/template'
import type { Story } from '../rules/story'
import type { Prompt } from '../schemas'

export interface TemplatesContext {
  /** The folder of the user's own templates, `<id>.md` each. */
  templateFolder: string
}

export interface KnownTemplate extends Template {
  /** Whether it is the user's own. It may replace a built-in template. */
  own: boolean
}

const MAX_FILES = 200
const MAX_BYTES = 64 * 1024

/** Lists all templates, the built-in ones first. Throws `invalid` with every file that is not valid. */
export async function listTemplates({ templateFolder }: TemplatesContext): Promise<KnownTemplate[]> {
  const files = await readFiles(templateFolder, await listFileNames(templateFolder))
  return addBuiltInTemplates(requireValidTemplates(files))
}

/** Finds a template by ID or name. Throws `not_found`, or `invalid` if its file is not valid. Other invalid files do not matter. */
export async function findTemplate({ templateFolder }: TemplatesContext, id: string): Promise<KnownTemplate> {
  const names = await listFileNames(templateFolder)
  const ownName = names.find((name) => name === `${id}.md`)
  if (ownName !== undefined) return requireValidTemplates(await readFiles(templateFolder, [ownName]))[0]!
  const builtIn = builtInTemplates.find((template) => template.id === id)
  if (builtIn) return { ...builtIn, own: false }
  const own = selectValidTemplates(await readFiles(templateFolder, names))
  const requestedName = id.trim().toLowerCase()
  const named = [...own, ...addBuiltInTemplates(own)].find(({ name }) => name.toLowerCase() === requestedName)
  if (named) return named
  throw new StudioError('not_found', `There is no prompt "${id}".`, {
    hint: hint`List the prompts: ${suggest('prompts.list')}`,
  })
}

/** Adds the built-in templates in front of the user's own, except those that the user's own replace. */
function addBuiltInTemplates(own: readonly KnownTemplate[]): KnownTemplate[] {
  const byId = new Map(builtInTemplates.map((template) => [template.id, { ...template, own: false }]))
  for (const template of own) byId.set(template.id, template)
  return [...byId.values()]
}

interface TemplateFile {
  path: string
  content: Template | FileProblem
}

function readFiles(folder: string, names: readonly string[]): Promise<TemplateFile[]> {
  return Promise.all(
    names.map(async (name) => {
      const path = join(folder, name)
      const text = await readText(path)
      return { path, content: typeof text === 'string' ? parseTemplateFile(name, text) : text }
    }),
  )
}

function selectValidTemplates(files: readonly TemplateFile[]): KnownTemplate[] {
  return files.flatMap(({ content }) => ('problem' in content ? [] : [{ ...content, own: true }]))
}

function requireValidTemplates(files: readonly TemplateFile[]): KnownTemplate[] {
  const details = files.flatMap(({ path, content }) =>
    'problem' in content ? [{ path, message: content.problem }] : [],
  )
  if (details.length === 0) return selectValidTemplates(files)
  const list = details.map(({ path, message }) => `${path}: ${message}`).join('; ')
  throw new StudioError('invalid', `A prompt template is invalid. ${list}.`, {
    hint: `Fix ${details.length === 1 ? `the file ${details[0]!.path}` : 'the files'}, or move it out of the folder.`,
    details,
  })
}

async function listFileNames(folder: string): Promise<string[]> {
  try {
    const names = (await readdir(folder)).filter((name) => name.endsWith('.md') && !name.startsWith('.')).sort()
    if (names.length <= MAX_FILES) return names
    throw new StudioError('invalid', `${folder} contains more than ${MAX_FILES} templates.`, {
      hint: 'Move the templates that you do not need to another folder.',
    })
  } catch (error) {
    if (/^(ENOENT|ENOTDIR)$/.test(errorCodeOf(error))) return []
    if (error instanceof StudioError) throw error
    throw new StudioError('invalid', `The folder of templates ${folder} cannot be read.`, { cause: error })
  }
}

/** Opens without blocking, because a pipe or a device would make it wait forever. */
async function readText(path: string): Promise<string | FileProblem> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => null)
  if (!file) return { problem: 'it cannot be read' }
  try {
    const facts = await file.stat()
    if (!facts.isFile()) return { problem: 'it is not a file' }
    if (facts.size > MAX_BYTES) return { problem: `it is larger than ${MAX_BYTES / 1024} KiB` }
    const bytes = Buffer.alloc(MAX_BYTES + 1)
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0)
    if (bytesRead > MAX_BYTES) return { problem: `it is larger than ${MAX_BYTES / 1024} KiB` }
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, bytesRead))
    return text.includes('\u0000') ? { problem: 'it is not text' } : text
  } catch {
    return { problem: 'it is not text in UTF-8' }
  } finally {
    await file.close()
  }
}

export function presentPrompt(template: KnownTemplate): z.infer<typeof Prompt> {
  const { id, name, description, target, own } = template
  return { id, name, description, target, template: template.template, variables: listVariables(template), own }
}

/** Throws `invalid` if a story or a variable of the template is missing. */
export function requireTemplateInput(template: Template, story: Story | null, variables: Record<string, string>): void {
  if (story === null && usesStory(template)) {
    throw new StudioError('invalid', `The prompt ${template.id} needs a story.`, {
      hint: 'Pass the ID of a draft (storyId) or of a cached work item (itemId).',
    })
  }
  const missing = findMissingVariables(template, variables)
  if (missing.length === 0) return
  throw new StudioError('invalid', `The prompt ${template.id} needs a value for ${missing.join(', ')}.`, {
    hint: `Pass it as a variable; on the command line: ${missing.map((name) => `--set ${name}=…`).join(' ')}`,
    details: missing.map((name) => ({ path: `variables.${name}`, message: 'is required by the prompt' })),
  })
}
