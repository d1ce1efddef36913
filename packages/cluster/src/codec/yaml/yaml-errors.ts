import type { YAMLError } from 'yaml'
import { JsonSyntaxError } from '../json/json-syntax-error.ts'

/** A message of Go's parser, and its line. */
interface GoYamlMessage {
  readonly words: string
  readonly at: number
  /** Go's scanner counts lines from one, its parser from zero; both omit line zero. */
  readonly by: 'scanner' | 'parser'
}

interface Finding {
  readonly text: string
  readonly at: number
  readonly message: string
}

/**
 * The line in which Go sees the end of a text: a last line without a line break counts as ended.
 */
const endOfText = Number.POSITIVE_INFINITY

/**
 * The message of Go's yaml parser for a text in which our parser found an error. The two parsers
 * find most errors in the same place; the message is chosen by our parser's error code. Undefined
 * for an error that Go accepts.
 */
export function goYamlError(text: string, error: YAMLError): JsonSyntaxError | undefined {
  const finding = { text, at: Math.min(error.pos[0], text.length), message: error.message }
  const found = goErrorFor(error.code, finding)
  if (found === undefined) return undefined
  const line = lineOf(text, found)
  return new JsonSyntaxError(`yaml: ${line === 0 ? '' : `line ${line}: `}${found.words}`)
}

function lineOf(text: string, { at, by }: GoYamlMessage): number {
  const isPastEnd = at >= text.length && !text.endsWith('\n') && text !== ''
  const line = text.slice(0, at).split('\n').length - 1 + (isPastEnd ? 1 : 0)
  return line > 0 && by === 'scanner' ? line + 1 : line
}

function goErrorFor(code: YAMLError['code'], finding: Finding): GoYamlMessage | undefined {
  const { text, at, message } = finding
  switch (code) {
    case 'TAB_AS_INDENT':
      return aboutTab(finding)
    case 'BLOCK_AS_IMPLICIT_KEY':
      if (message.includes('block sequence')) return parser('did not find expected key', at)
      return aboutNestedMapping(finding)
    case 'MULTILINE_IMPLICIT_KEY':
      return aboutNestedMapping(finding)
    case 'BAD_INDENT':
      return aboutIndent(finding)
    case 'BAD_SCALAR_START':
      if (message.includes('flow indicator'))
        return parser('did not find expected node content', at)
      return scanner('found character that cannot start any token', at)
    case 'MISSING_CHAR':
      return aboutMissing(finding)
    case 'BLOCK_IN_FLOW':
      return parser(`did not find expected ',' or '${openFlowOf(text.slice(0, at))}'`, at)
    case 'BAD_DQ_ESCAPE':
      if (/\\[xuU]/.test(message)) return scanner('did not find expected hexdecimal number', at)
      return scanner('found unknown escape character', at)
    case 'BAD_ALIAS':
      return scanner('did not find expected alphabetic or numeric character', at)
    case 'TAG_RESOLVE_FAILED':
      if (message.includes('Verbatim')) return scanner("did not find the expected '>'", at)
      return scanner('did not find expected tag URI', at)
    case 'UNEXPECTED_TOKEN':
      return aboutToken(finding)
    default:
      return parser('did not find expected key', at)
  }
}

function aboutMissing(finding: Finding): GoYamlMessage | undefined {
  const { text, at, message } = finding
  if (message.includes('quote')) return scanner('found unexpected end of stream', endOfText)
  if (message.startsWith('Flow')) return aboutOpenFlow(finding)
  // Go accepts a comment anywhere.
  if (message.startsWith('Comments')) return undefined
  if (message.includes('directives-end')) {
    const unknown = text.search(/^%(?!YAML|TAG)/m)
    if (unknown >= 0) return scanner('found unknown directive name', unknown)
    return parser('did not find expected <document start>', at)
  }
  return scanner("could not find expected ':'", lineEnd(text, at))
}

/** The end of the innermost list or map that is still open. */
function openFlowOf(before: string): string {
  return before.lastIndexOf('[') > before.lastIndexOf('{') ? ']' : '}'
}

function scanner(words: string, at: number): GoYamlMessage {
  return { words, at, by: 'scanner' }
}

function parser(words: string, at: number): GoYamlMessage {
  return { words, at, by: 'parser' }
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? endOfText : end + 1
}

/** A tab after a scalar could continue it; elsewhere it is an unexpected character. */
function aboutTab({ text, at }: Finding): GoYamlMessage {
  const before = text.slice(0, at).trimEnd()
  const continues = before !== '' && !/[:[{,-]$/.test(before)
  const violates = 'found a tab character that violates indentation'
  return scanner(continues ? violates : 'found character that cannot start any token', at)
}

function aboutNestedMapping({ text, at }: Finding): GoYamlMessage {
  if (text.startsWith('?', at)) return scanner('mapping keys are not allowed in this context', at)
  const colon = /:(?:\s|$)/.exec(text.slice(at))
  const where = at + (colon?.index ?? 0)
  return scanner('mapping values are not allowed in this context', where)
}

function aboutOpenFlow({ text, at, message }: Finding): GoYamlMessage {
  const close = message.includes('map') ? '}' : ']'
  const isEmpty = /[[{]\s*$/.test(text.slice(0, at))
  const words = isEmpty ? 'node content' : `',' or '${close}'`
  return parser(`did not find expected ${words}`, text.slice(at).trim() === '' ? endOfText : at)
}

function aboutIndent({ text, at, message }: Finding): GoYamlMessage {
  if (message.startsWith('Flow')) return aboutOpenFlow({ text, at, message })
  if (message.startsWith('Block scalar')) {
    const words = 'found a tab character where an indentation space is expected'
    return scanner(words, at)
  }
  return parser(`did not find expected ${isAmongItems(text, at) ? "'-' indicator" : 'key'}`, at)
}

/** Whether the line has the indentation of an item of the list above it. */
function isAmongItems(text: string, at: number): boolean {
  const start = text.lastIndexOf('\n', at - 1) + 1
  const indent = /^ */.exec(text.slice(start))?.[0] ?? ''
  const lines = text.slice(0, start).split('\n').reverse()
  const above = lines.find(
    (line) => line.startsWith(indent) && /\S/.test(line[indent.length] ?? ''),
  )
  return above?.startsWith(`${indent}- `) ?? false
}

function aboutToken({ text, at, message }: Finding): GoYamlMessage | undefined {
  if (message.includes('block-seq-ind')) {
    return scanner('block sequence entries are not allowed in this context', at)
  }
  if (message.includes('Block scalar header')) {
    return scanner('did not find expected comment or line break', at)
  }
  // After a document that is one flow collection Go stops parsing.
  const before = text.slice(0, at)
  if (/^\s*[[{]/.test(text) && /[\]}]\s*$/.test(before)) return undefined
  const isEnd = /^[\]}]/.test(text.slice(at)) && before.trim() === ''
  if (isEnd || message.includes(' in flow ') || /:\s*$/.test(before)) {
    return parser('did not find expected node content', at)
  }
  return parser(`did not find expected ${isAmongItems(text, at) ? "'-' indicator" : 'key'}`, at)
}
