import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { comparisonSvg } from '../scripts/comparison-svg.ts'

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')

test('docs/images/comparison.svg shows the numbers of docs/measurements/operator.md', () => {
  expect(comparisonSvg(read('docs/measurements/operator.md'))).toBe(
    read('docs/images/comparison.svg'),
  )
})

test('drawing the plot fails when a measurement is missing', () => {
  expect(() => comparisonSvg('| what |')).toThrow(
    'no ratio of setpoint in the row "cold: time until',
  )
})

test.each(['comparison', 'dev'])('docs/images/%s.svg refers to no other file', (name) => {
  const svg = read(`docs/images/${name}.svg`)
  expect(svg.replace('http://www.w3.org/2000/svg', '')).not.toMatch(
    /href|url\(|@import|https?:\/\/(?!127\.0\.0\.1)/,
  )
})
