import { describe, expect, test } from 'vitest';
import { bannedInName, bannedInText } from '../../lint/language/banned-words.ts';

describe('bannedInText', () => {
  test.each([
    ['Starts the house of a test.', 'house'],
    ['A stand-in for Stripe', 'stand-in'],
    ['waits in a lane of its own', 'lane'],
    ['there is room for another', 'room for'],
    ['an endpoint that has room', 'has room'],
    ['The owner is told by mail.', 'told'],
    ['* Answers the port.', 'Answers'],
    ['answers whether it is free', 'answers whether'],
    ['a failure that nobody sees', 'nobody'],
    ['It counts against his day.', 'his'],
    ['The work goes on elsewhere.', 'goes on'],
    ['when the same content comes again', 'comes again'],
    ['in the place of the old one', 'the place of'],
    ['The index is built anew.', 'anew'],
    ['A job that runs for ever', 'for ever'],
    ['Keeps the rows of before.', 'of before'],
    ['It failed for want of memory.', 'for want of'],
    ['The text belongs into a table.', 'belongs into'],
    ['Takes a like back.', 'Takes a like back'],
  ])('reports %j', (text, found) => {
    expect(bannedInText(text)[0]?.toLowerCase()).toContain(found.toLowerCase());
  });

  test.each([
    'An agent answers from its documents.',
    'The lighthouse is white.',
    'Creates a Room with two agents.',
    'what goes on to the next stage',
    'This is history.',
    'Take the user back to the list.',
    'he help her here hey hi him his how',
  ])('accepts %j', (text) => {
    expect(bannedInText(text)).toEqual([]);
  });
});

describe('bannedInName', () => {
  test.each(['startHouse', 'OpenAiStandIn', 'standInKeys', 'laneOf', 'told'])('reports %s', (name) => {
    expect(bannedInName(name)).not.toEqual([]);
  });

  test.each(['startHarness', 'planeOf', 'foldLines', 'warehouse'])('accepts %s', (name) => {
    expect(bannedInName(name)).toEqual([]);
  });
});
