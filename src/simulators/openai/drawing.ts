import { createHash } from 'node:crypto';

interface Picture {
  model: string;
  prompt: string;
  width: number;
  height: number;
}

/** Draws a creature on hills as PNG. Deterministic: equal input returns equal bytes. */
export async function drawPicture({ model, prompt, width, height }: Picture): Promise<Buffer> {
  // Imported on demand, because the library takes 40 MB.
  const { default: sharp } = await import('sharp');
  const style = styleOf(prompt);
  const svg = Buffer.from(
    sceneOf(createHash('sha256').update(`${model}\n${prompt}\n${width}x${height}`).digest(), style),
  );
  const fitted = { fit: 'cover', kernel: 'nearest' } as const;
  if (style !== 'pixel') return sharp(svg).resize(width, height, fitted).png({ compressionLevel: 6 }).toBuffer();
  const small = await sharp(svg)
    .resize(48, Math.round((48 * height) / width), { fit: 'cover' })
    .png()
    .toBuffer();
  return sharp(small).resize(width, height, fitted).png({ compressionLevel: 6 }).toBuffer();
}

const styles = ['photo', 'illustration', 'anime', 'pixel', 'watercolor', 'minimal'] as const;
type Style = (typeof styles)[number];
/** Standard deviation of the blur of styles that are not sharp. */
const blurs: Partial<Record<Style, number>> = { watercolor: 22, photo: 9 };

const styleOf = (prompt: string): Style =>
  styles.find((style) => new RegExp(`\\b${style}`, 'i').test(prompt)) ?? 'illustration';

/**
 * Returns an SVG scene of 1536×1024 units. Its subject is in the middle, so that crops for avatars and banners contain
 * it.
 */
function sceneOf(seed: Buffer, style: Style): string {
  const pick = (index: number, from: number, to: number): number => from + ((seed[index] ?? 0) / 255) * (to - from);
  const hue = Math.round(pick(0, 0, 360));
  const color = (turn: number, saturation: number, lightness: number): string =>
    `hsl(${(hue + turn) % 360} ${saturation}% ${lightness}%)`;
  const hills = style === 'minimal' ? '' : hillsOf(pick, color);
  const clouds = [1, 2, 3, 4].map(
    (index) =>
      `<circle cx="${pick(index, 80, 1456)}" cy="${pick(index + 4, 260, 760)}" r="${pick(index + 8, 60, 230)}" fill="${color(30 * index, 90, 88)}" opacity="0.28"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1536 1024" width="1536" height="1024">
    <defs>
      <linearGradient id="sky" x1="0" y1="0" x2="${pick(13, 0.1, 0.9)}" y2="1">
        <stop offset="0" stop-color="${color(0, 78, 74)}"/><stop offset="1" stop-color="${color(55, 82, 86)}"/>
      </linearGradient>
      <radialGradient id="body" cx="0.38" cy="0.3" r="0.9">
        <stop offset="0" stop-color="${color(180, 88, 74)}"/><stop offset="1" stop-color="${color(205, 68, 48)}"/>
      </radialGradient>
      <filter id="soft"><feGaussianBlur stdDeviation="${blurs[style] ?? 1}"/></filter>
    </defs>
    <rect width="1536" height="1024" fill="url(#sky)"/>
    <g filter="url(#soft)">${clouds.join('')}${hills}</g>
    ${creatureOf(pick, color, style)}
  </svg>`;
}

type Pick = (index: number, from: number, to: number) => number;
type Color = (turn: number, saturation: number, lightness: number) => string;

const hillsOf = (pick: Pick, color: Color): string =>
  [0, 1, 2]
    .map((row) => {
      const y = 640 + row * 110;
      const [left, middle, right] = [14, 15, 16].map((index) => y + pick(index + row, -120, 120));
      return `<path d="M0 ${left} C 380 ${pick(17 + row, y - 200, y)}, 620 ${middle}, 860 ${y} S 1340 ${pick(20 + row, y - 160, y + 60)}, 1536 ${right} V1024 H0 Z" fill="${color(70 + 24 * row, 52, 66 - 11 * row)}"/>`;
    })
    .join('');

/** Returns a round head with ears, eyes and a smile as SVG. */
function creatureOf(pick: Pick, color: Color, style: Style): string {
  const width = pick(23, 205, 245);
  const height = pick(24, 200, 240);
  const gap = pick(25, 70, 104);
  const eye = pick(26, 20, 30) * (style === 'anime' ? 1.5 : 1);
  const lean = pick(27, -7, 7);
  const ear = pick(28, 50, 92);
  const ears = [-1, 1]
    .map(
      (side) =>
        `<ellipse cx="${768 + side * width * 0.66}" cy="${530 - height * 0.78}" rx="${ear * 0.62}" ry="${ear}" transform="rotate(${side * 24} ${768 + side * width * 0.66} ${530 - height * 0.78})" fill="${color(200, 66, 56)}"/>`,
    )
    .join('');
  const eyes = [-1, 1]
    .map(
      (side) =>
        `<ellipse cx="${768 + side * gap}" cy="510" rx="${eye}" ry="${eye * 1.25}" fill="hsl(250 35% 16%)"/><circle cx="${768 + side * gap + eye * 0.3}" cy="${510 - eye * 0.45}" r="${eye * 0.34}" fill="white"/>`,
    )
    .join('');
  const cheeks = [-1, 1]
    .map(
      (side) => `<circle cx="${768 + side * (gap + 42)}" cy="566" r="26" fill="${color(150, 92, 72)}" opacity="0.55"/>`,
    )
    .join('');
  return `<g transform="rotate(${lean} 768 530)">${ears}
    <ellipse cx="768" cy="530" rx="${width}" ry="${height}" fill="url(#body)"/>${cheeks}${eyes}
    <path d="M${768 - gap * 0.5} 580 Q 768 ${pick(29, 620, 655)} ${768 + gap * 0.5} 580" fill="none" stroke="hsl(250 35% 16%)" stroke-width="13" stroke-linecap="round"/>
  </g>`;
}
