import { texts } from './texts.ts';

/** What of a picture is cut out: the square around a centre, in shares of the picture. */
export interface Crop {
  x: number;
  y: number;
  /** 1 shows as much as fits. */
  zoom: number;
}

export const wholePicture: Crop = { x: 0.5, y: 0.5, zoom: 1 };
export const maximumZoom = 4;

interface Size {
  width: number;
  height: number;
}

/** Keeps the square inside of the picture. */
export function bounded({ x, y, zoom }: Crop, { width, height }: Size): Crop {
  const within = Math.min(Math.max(zoom, 1), maximumZoom);
  const edge = Math.min(width, height) / within;
  const clamp = (share: number, length: number): number =>
    Math.min(Math.max(share, edge / 2 / length), 1 - edge / 2 / length);
  return { x: clamp(x, width), y: clamp(y, height), zoom: within };
}

/** Draws the square on a canvas, over its whole area. */
export function drawCrop(canvas: HTMLCanvasElement, picture: ImageBitmap, { x, y, zoom }: Crop): void {
  const edge = Math.min(picture.width, picture.height) / zoom;
  const context = canvas.getContext('2d');
  if (!context) return;
  context.imageSmoothingQuality = 'high';
  context.clearRect(0, 0, canvas.width, canvas.height);
  const [left, top] = [x * picture.width - edge / 2, y * picture.height - edge / 2];
  context.drawImage(picture, left, top, edge, edge, 0, 0, canvas.width, canvas.height);
}

const outputEdge = 1_024;

/** The cut-out square as a file that is at most as large as the service shows it. */
export async function cropFile(picture: ImageBitmap, crop: Crop): Promise<Blob> {
  const canvas = document.createElement('canvas');
  const edge = Math.round(Math.min(picture.width, picture.height) / crop.zoom);
  canvas.width = canvas.height = Math.max(Math.min(edge, outputEdge), 128);
  drawCrop(canvas, picture, crop);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/webp', 0.95));
  if (!blob) throw new Error(texts.pictureCouldNotCut);
  return blob;
}
