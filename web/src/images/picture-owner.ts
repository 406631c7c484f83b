/** What a picture belongs to: an agent, or without one the person. */
export interface PictureOwner {
  agentId: string | null;
  name: string;
  picture: { small: string; medium: string; aiGenerated: boolean } | null;
}
