import { texts } from './texts.ts';

/** The area to crop: its centre as fractions of the picture's width and height, and the zoom. */
export interface Crop {
  x: number;
  y: number;
  /** At 1 the area is as large as the picture allows. */
  zoom: number;
}

export const wholePicture: Crop = { x: 0.5, y: 0.5, zoom: 1 };
export const maximumZoom = 4;

interface Size {
  width: number;
  height: number;
}

/** Returns the size in pixels of the cropped area. `aspect` is its width divided by its height. */
export function areaOf({ width, height }: Size, aspect: number, zoom: number): Size {
  const fitting = Math.min(width, height * aspect) / zoom;
  return { width: fitting, height: fitting / aspect };
}

/** Moves and limits the area so that it lies inside the picture. */
export function bounded({ x, y, zoom }: Crop, picture: Size, aspect: number): Crop {
  const within = Math.min(Math.max(zoom, 1), maximumZoom);
  const area = areaOf(picture, aspect, within);
  const clamp = (share: number, half: number): number => Math.min(Math.max(share, half), 1 - half);
  return {
    x: clamp(x, area.width / 2 / picture.width),
    y: clamp(y, area.height / 2 / picture.height),
    zoom: within,
  };
}

/** Draws the area on a canvas of the same aspect ratio. */
export function drawCrop(canvas: HTMLCanvasElement, picture: ImageBitmap, { x, y, zoom }: Crop): void {
  const { width, height } = areaOf(picture, canvas.width / canvas.height, zoom);
  const context = canvas.getContext('2d');
  if (!context) return;
  context.imageSmoothingQuality = 'high';
  context.clearRect(0, 0, canvas.width, canvas.height);
  const [left, top] = [x * picture.width - width / 2, y * picture.height - height / 2];
  context.drawImage(picture, left, top, width, height, 0, 0, canvas.width, canvas.height);
}

const minimumHeight = 128;

/** Encodes the area as an image at most `widest` pixels wide; the service would not keep more. */
export async function cropFile(picture: ImageBitmap, crop: Crop, aspect: number, widest: number): Promise<Blob> {
  const canvas = document.createElement('canvas');
  const { height } = areaOf(picture, aspect, crop.zoom);
  canvas.height = Math.round(Math.max(Math.min(height, widest / aspect), minimumHeight));
  canvas.width = canvas.height * aspect;
  drawCrop(canvas, picture, crop);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/webp', 0.95));
  if (!blob) throw new Error(texts.pictureCouldNotCut);
  return blob;
}
