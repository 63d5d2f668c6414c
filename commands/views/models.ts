import type { z } from 'zod'
import type { listModels } from '../../src/assistant/operations/list-models'
import { pluralize } from '../../src/kernel/text'
import { type Canvas, table } from '../layout'

export function renderModels(list: z.infer<typeof listModels.output>, canvas: Canvas): string {
  if (list.length === 0) return 'No language model is installed. Get one, for example: ollama pull llama3.2\n'
  const rows = table(
    list,
    [
      { title: 'MODEL', text: (model) => model.name },
      { title: 'PARAMETERS', text: (model) => model.parameterSize ?? '', align: 'right' },
      { title: 'QUANTIZATION', text: (model) => model.quantization ?? '' },
      { title: 'SIZE', text: (model) => sizeText(model.sizeBytes), align: 'right' },
      {
        title: '',
        text: (model) => [model.isDefault && 'default', model.loaded && 'loaded'].filter(Boolean).join(', '),
      },
    ],
    canvas,
  )
  return `${rows}\n${pluralize(list.length, 'model')}\n`
}

function sizeText(bytes: number | null): string {
  return bytes === null ? '' : `${(bytes / 1e9).toFixed(1)} GB`
}
