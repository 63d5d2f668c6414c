import type { ResultOf } from '../../../catalog'
import { loadFields, loadKeys } from '../../../docks'
import type { InputField } from '../../forms/schema-inputs'

type Facility = ResultOf<'facilities.get'>

/** The inputs of a load: each custom field of the facility has its own. */
export function loadInputs({ customFields }: Facility): (string | InputField)[] {
  return loadKeys.flatMap((key): (string | InputField)[] => {
    if (loadFields[key].kind !== 'values') return [key]
    const isSite = key === 'siteFields'
    return customFields
      .filter(({ seenBy }) => (seenBy === 'site') === isSite)
      .map(({ name, label, kind, choices }) => ({
        name: `${key}.${name}[value]`,
        label: label ?? name,
        ...(kind === 'choice' && { choices: choices.map((choice) => [choice, choice] as const), empty: '' }),
      }))
  })
}

/** The references of a load, one per line. */
export function referencesInput(label: string): InputField {
  return { name: 'references[lines]', label }
}

/** The choice of a reason, if the facility lists some for the change. */
export function reasonInputs({ reasons }: Facility, change: Facility['reasons'][number]['change']): InputField[] {
  const list = reasons.find((entry) => entry.change === change)
  if (!list) return []
  const choices = list.choices.map((choice) => [choice, choice] as const)
  return [
    {
      name: 'reason',
      label: 'Reason',
      choices,
      ...(list.required ? { attributes: { required: true } } : {}),
      empty: '',
    },
  ]
}
