/** A call that the tracker refuses, in its own words. Clients tell refusals apart by `typeKey`. */
export class WireError extends Error {
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

export function createErrorBody(refusal: WireError): Record<string, unknown> {
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
export function createItemNotFoundError(id: number): WireError {
  return new WireError(
    404,
    'WorkItemUnauthorizedAccessException',
    `TF401232: Work item ${id} does not exist, or you do not have permissions to read it.`,
  )
}

/** The request itself is wrong: a parameter, a body. */
export function createBadRequestError(message: string): WireError {
  return new WireError(400, 'VssPropertyValidationException', message)
}

export function createFieldNotFoundError(name: string): WireError {
  return new WireError(400, 'WorkItemTrackingFieldDefinitionNotFoundException', `TF51535: Cannot find field ${name}.`)
}

export function createReadOnlyFieldError(referenceName: string): WireError {
  return new WireError(
    400,
    'WorkItemFieldInvalidException',
    `TF401326: Invalid field status 'ReadOnly' for field '${referenceName}'.`,
  )
}

export function createDateOrderError(): WireError {
  return new WireError(
    400,
    'WorkItemDatesNotIncreasingException',
    'VS402625: Dates must be increasing with each revision.',
  )
}

export function createPathNotFoundError(id: number, referenceName: string): WireError {
  return new WireError(
    400,
    'WorkItemFieldInvalidTreeNameException',
    `TF401347: Invalid tree name given for work item ${id}, field '${referenceName}'.`,
  )
}

/** A rule of the process; `flags` as the tracker lists them: `Required, InvalidEmpty`. */
export function createRuleError(
  field: { referenceName: string; name: string },
  flags: string,
  message?: string,
): WireError {
  const text = message ?? `TF401320: Rule Error for field ${field.name}. Error code: ${flags}.`
  const error = {
    fieldReferenceName: field.referenceName,
    fieldStatusFlags: flags.replace(/\b[A-Z]/g, (letter) => letter.toLowerCase()),
    errorMessage: text,
    ruleValidationErrors: null,
  }
  return new WireError(400, 'RuleValidationException', text, {
    customProperties: { ...error, RuleValidationErrors: [error] },
  })
}

export function createFailedTestError(path: string, found: unknown, expected: unknown): WireError {
  return new WireError(
    412,
    'TestPatchOperationFailedException',
    `VS403351: Test Operation for path ${path} failed, value ${String(found)} was not equal to test value ${String(expected)}.`,
  )
}

export function createPatchError(message: string): WireError {
  return new WireError(400, 'PatchOperationFailedException', message)
}
