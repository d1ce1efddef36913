import { describe, expect, test } from 'vitest'
import { readContinueToken, writeContinueToken } from './continue-token.ts'

const tokenOf = (text: string): string => Buffer.from(text, 'latin1').toString('base64url')

describe('continue tokens', () => {
  test('are read back as they were written', () => {
    const token = { revision: 7, start: 'ns/na\u00efve\0' }
    expect(readContinueToken(writeContinueToken({ ...token, isCached: true }))).toEqual(token)
  })

  test('are read back when they are inconsistent', () => {
    const token = { revision: -1, start: 'b\0' }
    expect(readContinueToken(writeContinueToken({ ...token, isCached: false }))).toEqual(token)
  })

  test.each([
    ['\u009e', "invalid character '\\u009e' looking for beginning of value"],
    ['[]', 'json: cannot unmarshal array into Go value of type storage.continueToken'],
    [
      '{"v":"meta.k8s.io/v1","rv":1.5}',
      'json: cannot unmarshal number 1.5 into Go struct field continueToken.rv of type int64',
    ],
    ['{"v":"meta.k8s.io/v1","rv":1,"start":"a/../b"}', 'a/../b'],
  ])('are refused with the message of a real server: %s', (text, why) => {
    expect(() => readContinueToken(tokenOf(text))).toThrow(
      `invalid continue token: continue key is not valid: ${why}`,
    )
  })

  test('are refused with the position when they are not base64', () => {
    expect(() => readContinueToken('abc=')).toThrow('illegal base64 data at input byte 3')
    expect(() => readContinueToken('abcde')).toThrow('illegal base64 data at input byte 4')
  })
})
