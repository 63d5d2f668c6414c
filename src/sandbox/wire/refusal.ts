/** A call that the tracker refuses, in its own words. Clients tell refusals apart by `typeKey`. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly typeKey: string,
    message: string,
    /** Further members of the error body. */
    readonly more: Readonly<Record<string, unknown>> = {},
  ) {
    super(message)
  }
}

export function refusalBody(refusal: Refusal): Record<string, unknown> {
  return {
    $id: '1',
    innerException: null,
    message: refusal.message,
    typeName: `Sandbox.WorkItemTracking.${refusal.typeKey}, Sandbox.WorkItemTracking`,
    typeKey: refusal.typeKey,
    errorCode: 0,
    eventId: 3200,
    ...refusal.more,
  }
}

/** Missing and unreadable are told alike. */
export function noSuchItem(id: number): Refusal {
  return new Refusal(
    404,
    'WorkItemUnauthorizedAccessException',
    `TF401232: Work item ${id} does not exist, or you do not have permissions to read it.`,
  )
}

/** The request itself is wrong: a parameter, a body. */
export function badRequest(message: string): Refusal {
  return new Refusal(400, 'VssPropertyValidationException', message)
}

export function badQuery(message: string): Refusal {
  return new Refusal(400, 'VssPropertyValidationException', message)
}

export function noSuchField(name: string): Refusal {
  return new Refusal(400, 'WorkItemTrackingFieldDefinitionNotFoundException', `TF51535: Cannot find field ${name}.`)
}

export function readOnlyField(referenceName: string): Refusal {
  return new Refusal(
    400,
    'WorkItemFieldInvalidException',
    `TF401326: Invalid field status 'ReadOnly' for field '${referenceName}'.`,
  )
}

export function datesNotIncreasing(): Refusal {
  return new Refusal(
    400,
    'WorkItemDatesNotIncreasingException',
    'VS402625: Dates must be increasing with each revision.',
  )
}

export function noSuchPath(id: number, referenceName: string): Refusal {
  return new Refusal(
    400,
    'WorkItemFieldInvalidTreeNameException',
    `TF401347: Invalid tree name given for work item ${id}, field '${referenceName}'.`,
  )
}

/** A rule of the process; `flags` as the tracker lists them: `Required, InvalidEmpty`. */
export function brokenRule(field: { referenceName: string; name: string }, flags: string, message?: string): Refusal {
  const text = message ?? `TF401320: Rule Error for field ${field.name}. Error code: ${flags}.`
  const error = {
    fieldReferenceName: field.referenceName,
    fieldStatusFlags: flags.replace(/\b[A-Z]/g, (letter) => letter.toLowerCase()),
    errorMessage: text,
    ruleValidationErrors: null,
  }
  return new Refusal(400, 'RuleValidationException', text, {
    customProperties: { ...error, RuleValidationErrors: [error] },
  })
}

export function staleTest(path: string, found: unknown, expected: unknown): Refusal {
  return new Refusal(
    412,
    'TestPatchOperationFailedException',
    `VS403351: Test Operation for path ${path} failed, value ${String(found)} was not equal to test value ${String(expected)}.`,
  )
}

export function badPatch(message: string): Refusal {
  return new Refusal(400, 'PatchOperationFailedException', message)
}
