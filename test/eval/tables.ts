import type { EvalAgent } from './agents.ts';
import names from './set/names.json' with { type: 'json' };
import type { EvalQuestion } from './question-set.ts';

/** Numbers of rows of the generated tables. */
export const tableSizes = [20, 200, 2_000, 20_000] as const;
/** Number of questions of each way of asking about a table. */
const asked = 15;

interface TableKind {
  half: EvalAgent['half'];
  filename: string;
  header: string;
  row: (i: number) => { id: string; name: string; text: string };
  byId: (id: string) => string[];
  byName: (name: string) => string[];
}

const one = (list: readonly string[], i: number): string => list[i % list.length] ?? '';
const pick = (list: string, i: number): string => one(list.split(' '), i);

/** Returns a name that no other number below 260,000 has: pairs of a first and a last name, then also with an initial. */
function nameOf(i: number): string {
  const pairs = names.firstNames.length * names.lastNames.length;
  const last = i * 7 + Math.floor(i / names.firstNames.length) * 3;
  const initial = i < pairs ? '' : ` ${String.fromCharCode(65 + (Math.floor(i / pairs) % 26))}.`;
  return `${one(names.firstNames, i)} ${one(names.lastNames, last)}${initial}`;
}

const kinds: readonly TableKind[] = [
  {
    half: 'tuning',
    filename: 'staff.csv',
    header: 'id,name,role,office,extension',
    row: (i) => {
      const id = `EMP-${10_000 + i * 3}`;
      const name = nameOf(i);
      const role = pick('engineer accountant designer analyst nurse manager driver cook electrician clerk', i * 3);
      const office = one(names.offices, i * 5);
      return { id, name, text: `${id},${name},${role},${office},${2_000 + ((i * 37) % 7_919)}` };
    },
    byId: (id) => [
      `In which office does ${id} work?`,
      `What is the role of ${id.toLowerCase()}?`,
      `extension of ${id}`,
    ],
    byName: (name) => [`In which office does ${name} work?`, `What is ${name}'s extension?`, `Who is ${name}?`],
  },
  {
    half: 'held-out',
    filename: 'inventory.csv',
    header: 'Part no.;Description;Warehouse;Quantity;Unit price',
    row: (i) => {
      const id = `${String.fromCharCode(65 + (i % 26))}${pick('X Q Z', i)}-${(i * 7 + 1_203).toString().padStart(6, '0')}/${(i % 9) + 1}`;
      const material = pick('steel brass copper nylon rubber oak bronze titanium zinc carbon ceramic glass', i);
      const thing = pick(
        'valve gasket bolt hinge pump bracket sensor pulley spring bushing flange clamp rivet washer cable',
        i * 11,
      );
      const name = `${material} ${thing} ${10 + ((i * 13) % 1_877)}`;
      return {
        id,
        name,
        text: `${id};${name};${pick('Hall A,Hall B,Yard,Annex'.replaceAll(' ', '_'), i)};${(i * 17) % 400};${((i * 29) % 9_000) / 100}`,
      };
    },
    byId: (id) => [`How many ${id} do we have?`, `Where is part ${id} stored?`, `${id.replace('-', '')} unit price`],
    byName: (name) => [`What does the ${name} cost?`, `In which warehouse is the ${name}?`, `Do we have a ${name}?`],
  },
];

/** Returns the generated tables of one size, one agent for each. */
export const tableAgents = (size: number): EvalAgent[] =>
  kinds.map(({ half, filename, header, row, byId, byName }) => {
    const rows = Array.from({ length: size }, (_, i) => row(i));
    const questions = Array.from({ length: asked }, (_, i): EvalQuestion[] => {
      const { id, name } = rows[Math.floor(((i + 0.5) * size) / asked)] ?? row(0);
      const right = { kind: 'a', document: filename, answer: id } as const;
      return [
        { ...right, way: 'id', question: byId(id)[i % 3] ?? '' },
        { ...right, way: 'name', question: byName(name)[i % 3] ?? '' },
      ];
    }).flat();
    return {
      kind: `rows-${size}`,
      half,
      documents: [{ filename, text: [header, ...rows.map(({ text }) => text)].join('\n') }],
      questions,
    };
  });
