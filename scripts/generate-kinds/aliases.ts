const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1'
const extensions = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1'

/**
 * Definitions whose Go type has its own JSON encoding, which the published schema does not
 * describe. Their TypeScript types are written here by hand.
 */
export const aliases: Readonly<Record<string, { type: string; doc: string } | undefined>> = {
  'io.k8s.apimachinery.pkg.api.resource.Quantity': {
    // A mark that does not exist at run time: where an object is written, a quantity may also be a number.
    type: "string & { readonly '~quantity'?: never }",
    doc: 'An amount with a unit, such as `500m`, `1.5` or `2Gi`; the server rewrites it canonically.',
  },
  'io.k8s.apimachinery.pkg.runtime.RawExtension': {
    type: 'Record<string, unknown>',
    doc: 'An object of any kind, carried as it is.',
  },
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': {
    type: 'number | string',
    doc: 'A number, or a string such as a percentage (`25%`) or the name of a port.',
  },
  [`${meta}.Time`]: {
    type: 'string',
    doc: 'A time in RFC 3339 with a resolution of seconds: `2026-01-01T00:00:00Z`.',
  },
  [`${meta}.MicroTime`]: {
    type: 'string',
    doc: 'A time in RFC 3339 with six digits of fraction: `2026-01-01T00:00:00.000000Z`.',
  },
  [`${meta}.FieldsV1`]: {
    type: 'Record<string, unknown>',
    doc: 'The set of fields one manager owns, as a tree with keys such as `f:spec`.',
  },
  [`${extensions}.JSON`]: { type: 'unknown', doc: 'Any JSON value.' },
  [`${extensions}.CustomResourceSubresourceStatus`]: {
    type: 'Record<string, never>',
    doc: 'Has no settings: `{}` turns the status subresource on.',
  },
  [`${extensions}.JSONSchemaPropsOrArray`]: {
    type: 'JSONSchemaProps | JSONSchemaProps[]',
    doc: 'One schema for all items; a structural schema allows no list here.',
  },
  [`${extensions}.JSONSchemaPropsOrBool`]: {
    type: 'JSONSchemaProps | boolean',
    doc: 'A schema, or whether anything (true) or nothing (false) is allowed.',
  },
  [`${extensions}.JSONSchemaPropsOrStringArray`]: {
    type: 'JSONSchemaProps | string[]',
    doc: 'A schema, or names of properties; a structural schema allows neither.',
  },
}
