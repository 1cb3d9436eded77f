import { progressText } from "./picture-upload.ts";

export function UploadProgress({ percent, className }: { percent: number; className: string }) {
  return (
    <div className={className}>
      <progress max={100} value={percent} aria-label="Upload" />
      <span className="tabular">{progressText(percent)}</span>
    </div>
  );
}
