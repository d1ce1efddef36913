/**
 * The messages in which gnostic encodes a document of OpenAPI v2. Clients in Go read the document in
 * this form.
 */

/**
 * The type of a field: a scalar; another message; `any`, a value as YAML; `map:X`, an object whose
 * values are X, as a list of names and values; `wrapped:X`, a message with X as its only field.
 */
interface GnosticField {
  readonly number: number
  readonly type: string
  readonly isRepeated?: boolean
}

/** Fields by their JSON name. */
type GnosticMessage = Readonly<Record<string, GnosticField>>

function message(...lines: readonly string[]): GnosticMessage {
  return Object.fromEntries(
    lines.map((line) => {
      const [number = '', name = '', type = ''] = line.split(' ')
      const isRepeated = type.endsWith('[]')
      return [name, { number: Number(number), type: type.replace('[]', ''), isRepeated }]
    }),
  )
}

const extensions = (number: number): string => `${number} x- extension[]`

/** What parameters and schemas have in common, with the number of the first field. */
function limits(first: number): string[] {
  const names = ['default any', 'maximum double', 'exclusiveMaximum bool', 'minimum double']
  const more = ['exclusiveMinimum bool', 'maxLength int', 'minLength int', 'pattern string']
  const last = ['maxItems int', 'minItems int', 'uniqueItems bool', 'enum any[]']
  return [...names, ...more, ...last, 'multipleOf double'].map(
    (field, index) => `${first + index} ${field}`,
  )
}

const named = ['1 required bool', '2 in string', '3 description string', '4 name string']

export const gnosticMessages: Readonly<Record<string, GnosticMessage>> = {
  Document: message(
    '1 swagger string',
    '2 info Info',
    '3 host string',
    '4 basePath string',
    '5 schemes string[]',
    '6 consumes string[]',
    '7 produces string[]',
    '8 paths Paths',
    '9 definitions map:Schema',
    '12 security SecurityRequirement[]',
    '13 securityDefinitions map:SecurityDefinitionsItem',
    extensions(16),
  ),
  Info: message('1 title string', '2 version string', '3 description string', extensions(7)),
  PathItem: message(
    '2 get Operation',
    '3 put Operation',
    '4 post Operation',
    '5 delete Operation',
    '6 options Operation',
    '7 head Operation',
    '8 patch Operation',
    '9 parameters ParametersItem[]',
    extensions(10),
  ),
  Operation: message(
    '1 tags string[]',
    '2 summary string',
    '3 description string',
    '5 operationId string',
    '6 produces string[]',
    '7 consumes string[]',
    '8 parameters ParametersItem[]',
    '9 responses map:ResponseValue',
    '10 schemes string[]',
    '11 deprecated bool',
    extensions(13),
  ),
  BodyParameter: message(
    '1 description string',
    '2 name string',
    '3 in string',
    '4 required bool',
    '5 schema Schema',
    extensions(6),
  ),
  QueryParameter: message(
    ...named,
    '5 allowEmptyValue bool',
    '6 type string',
    '7 format string',
    '9 collectionFormat string',
    ...limits(10),
    extensions(23),
  ),
  PathParameter: message(
    ...named,
    '5 type string',
    '6 format string',
    '8 collectionFormat string',
    ...limits(9),
    extensions(22),
  ),
  JsonReference: message('1 $ref string', '2 description string'),
  Response: message('1 description string', '2 schema wrapped:Schema', extensions(5)),
  ApiKeySecurity: message(
    '1 type string',
    '2 name string',
    '3 in string',
    '4 description string',
    extensions(5),
  ),
  ExternalDocs: message('1 description string', '2 url string', extensions(3)),
  Schema: message(
    '1 $ref string',
    '2 format string',
    '3 title string',
    '4 description string',
    '5 default any',
    '6 multipleOf double',
    '7 maximum double',
    '8 exclusiveMaximum bool',
    '9 minimum double',
    '10 exclusiveMinimum bool',
    '11 maxLength int',
    '12 minLength int',
    '13 pattern string',
    '14 maxItems int',
    '15 minItems int',
    '16 uniqueItems bool',
    '17 maxProperties int',
    '18 minProperties int',
    '19 required string[]',
    '20 enum any[]',
    '21 additionalProperties AdditionalPropertiesItem',
    '22 type wrapped:string',
    '23 items wrapped:Schema',
    '24 allOf Schema[]',
    '25 properties map:Schema',
    '29 externalDocs ExternalDocs',
    '30 example any',
    extensions(31),
  ),
}
