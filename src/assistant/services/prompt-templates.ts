import { constants } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type * as z from 'zod'
import { type ErrorDetail, hint, StudioError, suggest } from '../../kernel'
import { errorCodeOf } from '../../kernel/errors'
import { builtInTemplates } from '../rules/prompts/built-in-templates'
import { type FileProblem, parseTemplateFile } from '../rules/prompts/parse-template-file'
import { missingVariables, type Template, usesStory, variablesOf } from '../rules/prompts/template'
import type { Story } from '../rules/story'
import type { Prompt } from '../schemas'

/** Where a user's own templates are: `<id>.md` each. */
export interface TemplatesContext {
  templateFolder: string
}

export interface KnownTemplate extends Template {
  /** True for one of the user's own, also where it stands in for one that comes with studio. */
  own: boolean
}

const MAX_FILES = 200
const MAX_BYTES = 64 * 1024

/** All templates, those that come with studio first. Throws `invalid` naming every file that cannot be used. */
export async function listTemplates({ templateFolder }: TemplatesContext): Promise<KnownTemplate[]> {
  const read = await Promise.all(
    (await fileNames(templateFolder)).map(async (name) => ({ name, result: await readTemplate(templateFolder, name) })),
  )
  const problems = read.flatMap(({ name, result }) =>
    'problem' in result ? [detailOf(templateFolder, name, result)] : [],
  )
  if (problems.length > 0) throw invalidTemplates(problems)
  const own = new Map(read.map(({ result }) => [(result as Template).id, { ...(result as Template), own: true }]))
  const known = builtInTemplates.map((template) => own.get(template.id) ?? { ...template, own: false })
  const ids = new Set(known.map(({ id }) => id))
  return [...known, ...[...own.values()].filter(({ id }) => !ids.has(id))]
}

/** One template; a file that is broken is in nobody's way but its own. Throws `not_found`, or `invalid` naming the file. */
export async function findTemplate({ templateFolder }: TemplatesContext, id: string): Promise<KnownTemplate> {
  const names = await fileNames(templateFolder)
  const name = names.find((candidate) => candidate === `${id}.md`)
  if (name !== undefined) {
    const result = await readTemplate(templateFolder, name)
    if ('problem' in result) throw invalidTemplates([detailOf(templateFolder, name, result)])
    return { ...result, own: true }
  }
  const builtIn = builtInTemplates.find((template) => template.id === id)
  if (builtIn) return { ...builtIn, own: false }
  const named = await findByName({ templateFolder }, names, id)
  if (named) return named
  throw new StudioError('not_found', `There is no prompt "${id}".`, {
    hint: hint`List the prompts: ${suggest('prompts.list')}`,
  })
}

/** The template that is listed under this name, whatever its case. Broken files are passed over: they have no name to be found by. */
async function findByName(
  { templateFolder }: TemplatesContext,
  files: readonly string[],
  wanted: string,
): Promise<KnownTemplate | null> {
  const own: KnownTemplate[] = []
  for (const file of files) {
    const result = await readTemplate(templateFolder, file)
    if (!('problem' in result)) own.push({ ...result, own: true })
  }
  const ownIds = new Set(own.map(({ id }) => id))
  const builtIn = builtInTemplates.filter(({ id }) => !ownIds.has(id)).map((one) => ({ ...one, own: false }))
  return [...own, ...builtIn].find(({ name }) => name.toLowerCase() === wanted.trim().toLowerCase()) ?? null
}

async function fileNames(folder: string): Promise<string[]> {
  try {
    const names = (await readdir(folder)).filter((name) => name.endsWith('.md') && !name.startsWith('.')).sort()
    if (names.length <= MAX_FILES) return names
    throw new StudioError('invalid', `${folder} holds more than ${MAX_FILES} templates.`, {
      hint: 'Move those that are not needed elsewhere.',
    })
  } catch (error) {
    if (/^(ENOENT|ENOTDIR)$/.test(errorCodeOf(error))) return []
    if (error instanceof StudioError) throw error
    throw new StudioError('invalid', `The folder of templates ${folder} cannot be read.`, { cause: error })
  }
}

async function readTemplate(folder: string, name: string): Promise<Template | FileProblem> {
  const text = await readText(join(folder, name))
  return typeof text === 'string' ? parseTemplateFile(name, text) : text
}

/** A pipe or a device in the place of a file is not waited for. */
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

function detailOf(folder: string, name: string, { problem }: FileProblem): ErrorDetail {
  return { path: join(folder, name), message: problem }
}

function invalidTemplates(details: ErrorDetail[]): StudioError {
  const said = details.map(({ path, message }) => `${path}: ${message}`).join('; ')
  return new StudioError('invalid', `A prompt template is invalid. ${said}.`, {
    hint: `Fix ${details.length === 1 ? `the file ${details[0]!.path}` : 'the files'}, or move it out of the folder.`,
    details,
  })
}

export function presentPrompt(template: KnownTemplate): z.infer<typeof Prompt> {
  const { id, name, description, target, own } = template
  return { id, name, description, target, template: template.template, variables: variablesOf(template), own }
}

/** Throws `invalid` where the template needs what was not given. */
export function requireTemplateInput(template: Template, story: Story | null, variables: Record<string, string>): void {
  if (story === null && usesStory(template)) {
    throw new StudioError('invalid', `The prompt ${template.id} needs a story.`, {
      hint: 'Name a draft (storyId) or a cached work item (itemId).',
    })
  }
  const missing = missingVariables(template, variables)
  if (missing.length === 0) return
  throw new StudioError('invalid', `The prompt ${template.id} needs a value for ${missing.join(', ')}.`, {
    hint: `Give it as a variable; on the command line: ${missing.map((name) => `--set ${name}=…`).join(' ')}`,
    details: missing.map((name) => ({ path: `variables.${name}`, message: 'is required by the prompt' })),
  })
}
