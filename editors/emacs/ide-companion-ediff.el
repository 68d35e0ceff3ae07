;;; ide-companion-ediff.el --- Compare a proposal by Ediff  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; An Ediff session for a proposal, which ends with the decision of the user.

;;; Code:

(eval-when-compile
  (require 'cl-lib))
(require 'ide-companion-diff)
(require 'ide-companion-proposal)
(require 'ide-companion-review)

(defvar ediff-actual-diff-options)
(defvar ediff-quit-hook)

(defun ide-companion-ediff ()
  "Compare a proposal with what is on disk by Ediff.
Ending the session asks for your decision."
  (interactive)
  (ide-companion--start-ediff (ide-companion--current)))

(defun ide-companion--start-ediff (proposal)
  "Start an Ediff session for PROPOSAL."
  (if (buffer-live-p (ide-companion--proposal-ediff proposal))
      (pop-to-buffer (ide-companion--proposal-ediff proposal))
    (let ((configuration (current-window-configuration)))
      (ide-companion--clear (ide-companion--proposal-buffer proposal))
      (require 'ediff)
      ;; White space counts, whatever the user has set for files.
      (let ((ediff-actual-diff-options ""))
        (ediff-buffers (ide-companion--proposal-base proposal) (ide-companion--proposal-buffer proposal)
                       (list (lambda () (ide-companion--on-ediff proposal configuration))))))))

(defun ide-companion--on-ediff (proposal configuration)
  "The Ediff session of PROPOSAL has begun; before it, CONFIGURATION was there."
  (setq-local ediff-actual-diff-options "")
  (setf (ide-companion--proposal-ediff proposal) (current-buffer))
  (setq ide-companion--proposal proposal)
  (local-set-key (kbd "C-c C-c") #'ide-companion-accept)
  (local-set-key (kbd "C-c C-k") #'ide-companion-reject)
  (add-hook 'ediff-quit-hook (lambda () (ide-companion--on-ediff-quit proposal configuration)) 90 t))

(defun ide-companion--on-ediff-quit (proposal configuration)
  "The Ediff session of PROPOSAL has ended; before it, CONFIGURATION was there."
  (set-window-configuration configuration)
  (when (ide-companion--proposal-ediff proposal)
    (setf (ide-companion--proposal-ediff proposal) nil)
    (ide-companion--draw proposal)
    (pcase (car (read-multiple-choice
                 (format "%s proposes %s" (ide-companion--proposal-agent proposal)
                         (ide-companion--proposal-label proposal))
                 '((?a "accept" "Accept it as it is now")
                   (?r "reject" "Reject it")
                   (?l "later" "Decide later"))))
      (?a (ide-companion--decide proposal :companion/diffAccepted))
      (?r (ide-companion--decide proposal :companion/diffRejected)))))

(provide 'ide-companion-ediff)
;;; ide-companion-ediff.el ends here
