import { progressText } from "./picture-upload.ts";

export function UploadProgress({ percent, className = "" }: { percent: number; className?: string }) {
  return (
    <div className={`row gap-3 small ${className}`}>
      <progress
        className="grow"
        max={100}
        value={percent}
        style={{ blockSize: "0.375rem" }}
        aria-label="Upload"
      />
      <span className="tabular">{progressText(percent)}</span>
    </div>
  );
}
