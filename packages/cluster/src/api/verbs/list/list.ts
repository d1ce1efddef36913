import { encodeJson } from '../../../codec/index.ts'
import { badRequest } from '../../../status/index.ts'
import { CompactedError, type StoredObject } from '../../../store/index.ts'
import type { ApiRequest } from '../../api-request.ts'
import { convertedLengthMax, tooLongToConvert, type JsonAnswer } from '../../http/respond.ts'
import { cachedRevision, isCachedInTime } from '../../cached-revision.ts'
import { convertAllStored } from '../../conversion/stored-forms.ts'
import { isCurrent, itemText, readObject } from '../../object-text.ts'
import { listOptions, type ListOptions } from '../../options/list-options.ts'
import type { ServedResource } from '../../resources/served-resource.ts'
import { readContinueToken, writeContinueToken } from './continue-token.ts'
import { matcherOf, type Matcher } from './matcher.ts'
import { expired, revisionOf, tooLargeRevision } from '../read.ts'
import {
  goPackage,
  notAcceptable,
  partialMetadata,
  rowWriter,
  tableText,
  type ListMetadata,
} from '../represent.ts'

/** GET of a collection: one page, or all of it. */
export async function listObjects(
  request: ApiRequest,
  resource: ServedResource,
): Promise<JsonAnswer> {
  const options = listOptions(request.info.query, false)
  const matcher = matcherOf(resource, options)
  const page = await readPage(request, resource, { options, matcher })
  const length = page.objects.reduce((sum, { text }) => sum + text.length, 0)
  request.turns.count(length)
  if (length > streamedAbove) {
    if (request.media.transform === undefined && page.objects.every(isCurrent(resource))) {
      return { code: 200, text: { parts: pageParts(resource, page), length } }
    }
    if (length > convertedLengthMax) throw tooLongToConvert(length)
  }
  return { code: 200, text: await pageText(request, resource, page) }
}

/** Converts objects one after the other; other requests run in between when the list is long. */
async function inTurns<T, U>(
  { turns }: ApiRequest,
  values: Iterable<T>,
  { convert, bytesOf }: { convert: (value: T) => U; bytesOf: (value: T) => number },
): Promise<U[]> {
  const converted: U[] = []
  for (const value of values) {
    converted.push(convert(value))
    await turns.worked(bytesOf(value))
  }
  return converted
}

/** A cell takes as long as about this many bytes of an object. */
const bytesPerCell = 10

/** What finding an object takes, in bytes. */
const bytesPerObject = 50

/** Longer lists are made while the client reads them. */
const streamedAbove = 1024 * 1024

function* pageParts(resource: ServedResource, page: Page): Generator<string> {
  yield `${listHead(resource)}"metadata":${metadataText(resource, page)},"items":[`
  let separator = ''
  for (const stored of page.objects) {
    yield separator
    yield itemText(resource, stored)
    separator = ','
  }
  yield ']}'
}

/** Lists of custom objects are encoded from maps, where an empty continue token is not omitted. */
function metadataText({ isCustom }: ServedResource, { metadata }: Page): string {
  return encodeJson({ ...(isCustom ? { continue: '' } : {}), ...metadata })
}

/** The objects of one page and the metadata of the list. */
interface Page {
  readonly objects: readonly StoredObject[]
  readonly metadata: ListMetadata
}

/** The revision and the part of a list. */
interface Range {
  /** The revision to list; `undefined` is the latest. */
  readonly revision: number | undefined
  readonly start: string
  readonly limit: number
}

/** Reads one page; deletecollection uses it too. */
export async function readPage(
  request: ApiRequest,
  resource: ServedResource,
  { options, matcher }: { options: ListOptions; matcher: Matcher | undefined },
): Promise<Page> {
  const { server, info } = request
  const prefix = info.namespace === '' || !resource.namespaced ? '' : `${info.namespace}/`
  const range = await cachedRange(request, rangeOf(options, server.store.revision), options)
  const revision = range.revision ?? server.store.revision
  // A copy, because other requests write while the objects are selected.
  const all = [...candidates(request, resource, { prefix, range, options })]
  const most = range.limit === 0 ? Infinity : range.limit
  if (matcher !== undefined) await convertAllStored(resource, all)
  const found = matcher === undefined ? all : await selected(request, all, { matcher, most })
  const objects = found.length > most ? found.slice(0, most) : found
  const remaining = found.length - objects.length
  await convertAllStored(resource, objects)
  const last = objects.at(-1)
  if (remaining === 0 || last === undefined)
    return { objects, metadata: { resourceVersion: String(revision) } }
  const start = `${last.key.slice(prefix.length)}\0`
  return {
    objects,
    metadata: {
      resourceVersion: String(revision),
      // Only events are not kept in the watch cache.
      continue: writeContinueToken({ revision, start, isCached: resource.bucket !== '/events' }),
      ...(matcher === undefined ? { remainingItemCount: remaining } : {}),
    },
  }
}

/** The objects that a selector matches: one more than `most`, if there are more. */
async function selected(
  { turns }: ApiRequest,
  objects: readonly StoredObject[],
  { matcher, most }: { matcher: Matcher; most: number },
): Promise<StoredObject[]> {
  const found: StoredObject[] = []
  for (const stored of objects) {
    if (matcher.matches(stored)) found.push(stored)
    if (found.length > most) break
    await turns.worked(bytesPerObject + (matcher.readsContent ? stored.text.length : 0))
  }
  return found
}

function* candidates(
  { server, fault }: ApiRequest,
  resource: ServedResource,
  { prefix, range, options }: { prefix: string; range: Range; options: ListOptions },
): Generator<StoredObject> {
  if (fault?.expiresPage === true) throw tooOld(range, options)
  const from = prefix + range.start
  let objects: Iterable<StoredObject>
  try {
    objects = server.store.list(resource.bucket, prefix, range.revision)
  } catch (error) {
    throw error instanceof CompactedError ? tooOld(range, options) : error
  }
  for (const stored of objects) {
    if (stored.key >= from) yield stored
  }
}

function tooOld(range: Range, { continueToken }: ListOptions): Error {
  if (continueToken === '') return expired('The resourceVersion for the provided list is too old.')
  return expired(
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.',
    // It is made from a decoded key, which has no slash.
    writeContinueToken({ revision: -1, start: range.start, isCached: false }),
  )
}

function rangeOf(options: ListOptions, latest: number): Range {
  const { continueToken, resourceVersion, resourceVersionMatch } = options
  const limit = Math.max(options.limit, 0)
  if (continueToken !== '') {
    const token = readContinueToken(continueToken)
    if (resourceVersion !== '' && resourceVersion !== '0') {
      throw badRequest('specifying resource version is not allowed when using continue')
    }
    const revision = token.revision < 0 ? undefined : token.revision
    return { revision, start: token.start, limit: resourceVersion === '0' ? 0 : limit }
  }
  const asked = revisionOf(resourceVersion, 'storage')
  if (asked > latest) throw tooLargeRevision(asked, latest)
  const isExact =
    resourceVersionMatch === 'Exact' || (resourceVersionMatch === '' && limit > 0 && asked > 0)
  // "0" accepts any revision: a real server answers from its watch cache and ignores the limit.
  if (resourceVersion === '0') return { revision: undefined, start: '', limit: 0 }
  return { revision: isExact ? asked : undefined, start: '', limit }
}

/** A list that may be older than the storage is answered from the watch cache. */
async function cachedRange(
  request: ApiRequest,
  range: Range,
  { resourceVersion, continueToken }: ListOptions,
): Promise<Range> {
  const { store } = request.server
  if (resourceVersion === '' || continueToken !== '' || range.revision !== undefined) return range
  const cached = cachedRevision(request)
  if (cached === store.revision) return range
  const asked = revisionOf(resourceVersion, 'storage')
  if (cached < asked && !(await isCachedInTime(request, asked))) {
    throw tooLargeRevision(asked, cachedRevision(request))
  }
  return { ...range, revision: cachedRevision(request) }
}

/** A page as text in the negotiated form. */
export async function pageText(
  request: ApiRequest,
  resource: ServedResource,
  page: Page,
): Promise<string> {
  const { transform, metaVersion } = request.media
  const metadata = encodeJson({ ...page.metadata })
  const bytesOf = ({ text }: StoredObject): number => text.length
  switch (transform) {
    case undefined: {
      const parts = pageParts(resource, page)
      const bytesOfPart = (part: string): number => part.length
      const same = (part: string): string => part
      return (await inTurns(request, parts, { convert: same, bytesOf: bytesOfPart })).join('')
    }
    case 'Table': {
      const rows = await tableRows(request, resource, page)
      return tableText(request, resource, { rows, metadata: page.metadata, withColumns: true })
    }
    case 'PartialObjectMetadataList': {
      const convert = (stored: StoredObject): string =>
        encodeJson(partialMetadata(readObject(resource, stored), metaVersion))
      const items = await inTurns(request, page.objects, { convert, bytesOf })
      return `{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/${metaVersion}","metadata":${metadata},"items":${items.length === 0 ? 'null' : `[${items.join(',')}]`}}`
    }
    case 'PartialObjectMetadata': {
      const type = resource.isCustom
        ? '*unstructured.UnstructuredList'
        : `*${goPackage(resource)}.${resource.listKind}`
      throw notAcceptable(
        `you requested PartialObjectMetadata, but the requested object is a list (${type})`,
      )
    }
  }
}

/** The rows of a table, in the order of the kind's printer. */
async function tableRows(
  request: ApiRequest,
  resource: ServedResource,
  { objects }: Page,
): Promise<string[]> {
  const { order, columns } = resource.printer()
  const read = await inTurns(request, objects, {
    convert: (stored) => ({ object: readObject(resource, stored), bytes: stored.text.length }),
    bytesOf: ({ text }) => text.length,
  })
  if (order !== undefined) read.sort((a, b) => order(a.object, b.object))
  const writeRow = rowWriter(request, resource)
  return inTurns(request, read, {
    convert: ({ object }) => writeRow(object),
    bytesOf: ({ bytes }) => bytes + columns.length * bytesPerCell,
  })
}

function listHead({ isCustom, apiVersion, listKind }: ServedResource): string {
  return isCustom
    ? `{"apiVersion":"${apiVersion}","kind":"${listKind}",`
    : `{"kind":"${listKind}","apiVersion":"${apiVersion}",`
}
