import { GraphQLError } from 'graphql'

export function notFound(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { type: 'NOT_FOUND' } })
}

export function unprocessable(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { type: 'UNPROCESSABLE' } })
}

/** GitHub names the field or the type that it does not have. */
export function toUndefinedName({ message }: GraphQLError) {
  const [, unknownType] = /^Unknown type "(\w+)"/.exec(message) ?? []
  if (unknownType !== undefined)
    return {
      message: `No such type ${unknownType}, so it can't be a fragment condition`,
      extensions: { code: 'undefinedType', typeName: unknownType },
    }
  const [, fieldName, typeName] = /^Cannot query field "(\w+)" on type "(\w+)"/.exec(message) ?? []
  return fieldName === undefined
    ? { message }
    : {
        message: `Field '${fieldName}' doesn't exist on type '${typeName}'`,
        extensions: { code: 'undefinedField', typeName, fieldName },
      }
}
